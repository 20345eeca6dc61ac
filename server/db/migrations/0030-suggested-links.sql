-- The founders of a company are suggested by the name of their company, which is the third field of their search text, and by
-- the domain of their email address. `companies_by_site` has the domains of companies.
create index founders_by_company on records
  (company_name_key(split_part(search_text, E'\x1f', 3)), created_at desc, id desc)
  where kind = 'founder' and split_part(search_text, E'\x1f', 3) <> '';
create index companies_by_name_key on records
  (company_name_key(split_part(search_text, E'\x1f', 1)), created_at desc, id desc) where kind = 'company';
create index founders_by_mail_domain on records (reverse(mail_domain(additional_info ->> 'email')) collate "C")
  where kind = 'founder' and additional_info ->> 'email' is not null;

-- The plans are fixed, and statistics would compute these keys for many rows, as would conditions with them.
alter index founders_by_company alter column 1 set statistics 0;
alter index companies_by_name_key alter column 1 set statistics 0;
alter index founders_by_mail_domain alter column 1 set statistics 0;
