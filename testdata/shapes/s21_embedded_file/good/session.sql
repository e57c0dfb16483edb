-- what every report needs
SET LOCAL search_path = reporting, public;
SET LOCAL work_mem = '256MB';
