-- When the failures of a group happened, as JSON: {from, step, counts}. Of failures before this release nothing is known.
ALTER TABLE failure_group ADD COLUMN histogram TEXT;
