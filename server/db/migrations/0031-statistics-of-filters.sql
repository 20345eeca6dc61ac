-- What the planner knows of filters and sorts. It does not use the statistics of a partial index, and guesses that a half per
-- cent of all records match. For a pair of filters it then reads and sorts the wrong, much larger one.
create statistics records_rating_order on (case when is_rated then rating else 0 end) from records;
create statistics records_industry on (without_case(additional_info ->> 'industry')) from records;
create statistics records_place on (without_case(company_place(additional_info))) from records;
analyze records;
