-- what every report needs
SET search_path = reporting, public;
SET work_mem = '256MB';
