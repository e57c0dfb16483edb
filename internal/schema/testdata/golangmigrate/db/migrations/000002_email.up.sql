ALTER TABLE accounts ADD CONSTRAINT accounts_email_key UNIQUE (email);
