ALTER TABLE accounts DROP CONSTRAINT accounts_email_key;
