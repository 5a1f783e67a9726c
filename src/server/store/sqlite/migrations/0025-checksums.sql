-- CRC-32 of the texts beside them; null: written before there were checksums, and not looked at since.
ALTER TABLE task ADD COLUMN input_sum INTEGER;
ALTER TABLE task ADD COLUMN output_sum INTEGER;
ALTER TABLE job ADD COLUMN output_sum INTEGER;
ALTER TABLE replica ADD COLUMN output_sum INTEGER;
ALTER TABLE fan_out ADD COLUMN input_sum INTEGER;
ALTER TABLE fan_out ADD COLUMN output_sum INTEGER;
ALTER TABLE fan_out_list ADD COLUMN sum INTEGER;
ALTER TABLE fan_out_part ADD COLUMN sum INTEGER;
ALTER TABLE payload ADD COLUMN sum INTEGER;
ALTER TABLE unborn ADD COLUMN sum INTEGER;
