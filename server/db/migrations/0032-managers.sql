-- When the person behind a session last gave a password or a code, and who invited whom.
alter table sessions add column confirmed_at timestamptz(3);

-- The invitations of the operator have no account. Invitations are valid for 14 days.
alter table invitations add column created_by uuid references accounts (id), add column created_at timestamptz(3);
update invitations set created_at = expires_at - interval '14 days';
alter table invitations alter column created_at set default now(), alter column created_at set not null;
create index invitations_of_account on invitations (created_by);
