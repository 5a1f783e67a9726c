-- Which checker found the faults of a version: those of a large definition are trusted where it is the present one.
ALTER TABLE version ADD COLUMN checker INTEGER NOT NULL DEFAULT 0;

-- Inputs of accepted jobs that have not become tasks yet. A job with many is accepted whole, and born in steps.
CREATE TABLE unborn (
  job INTEGER NOT NULL,
  chunk INTEGER NOT NULL,
  -- The replica of the first input.
  replica INTEGER NOT NULL,
  count INTEGER NOT NULL,
  -- Replicas that have all their first tasks, and how many of them the next one has.
  begun INTEGER NOT NULL DEFAULT 0,
  tasks INTEGER NOT NULL DEFAULT 0,
  -- JSON texts, each ended by a line feed.
  texts BLOB NOT NULL,
  PRIMARY KEY (job, chunk)
) STRICT;
