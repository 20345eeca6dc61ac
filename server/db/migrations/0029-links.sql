-- Which founders belong to which companies, in which role. A merge may bring several links of one pair together, so that its
-- undo can move them back; readers see the first of a pair. Changes of a pair lock its two records.
create table links (
  id uuid primary key,
  founder_id uuid not null,
  founder_kind text not null default 'founder',
  company_id uuid not null,
  company_kind text not null default 'company',
  role text not null default '',
  created_by uuid references accounts (id) on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  foreign key (founder_id, founder_kind) references records (id, kind) on update cascade on delete cascade,
  foreign key (company_id, company_kind) references records (id, kind) on update cascade on delete cascade
);
create index links_of_founder on links (founder_id, created_at desc, id desc);
create index links_of_company on links (company_id, created_at desc, id desc);
create index links_of_pair on links (founder_id, company_id, id);
