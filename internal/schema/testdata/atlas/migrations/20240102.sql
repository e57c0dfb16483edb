DROP INDEX "users_name_key";
