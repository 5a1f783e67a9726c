-- Where code threw: JSON of the frames.
ALTER TABLE task ADD COLUMN error_stack TEXT;
