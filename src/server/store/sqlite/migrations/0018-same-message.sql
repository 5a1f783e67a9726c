-- Whether all failures of a group had one message, that of `sample`. Of groups that counted several nobody knows.
ALTER TABLE failure_group ADD COLUMN same_message INTEGER NOT NULL DEFAULT 0;
UPDATE failure_group SET same_message = 1 WHERE count = 1;
