-- Rows of more than two kilobytes went to TOAST in pieces, each with an entry in an index, and were put together and deleted
-- piece by piece minutes later. Rows that fit into a page now stay in the table.
set local role tidewatch_owner;
set local search_path = tidewatch, public;

alter table sample_log set (toast_tuple_target = 8160);
