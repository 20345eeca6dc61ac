-- Who may sign up: managers, accounts that wait for approval, invitations, and disabled people who come back by another
-- spelling of their address. Accounts that are here already are fellows, and approved.
alter table accounts
  add column role text not null default 'fellow' check (role in ('fellow', 'manager')),
  add column pending_since timestamptz(3),
  -- On a disabled account: other spellings of its address may sign up all the same.
  add column readmitted_at timestamptz(3);

-- The mailbox that most mail systems deliver to: without the tag, and without the dots before the @.
create function plain_address(email text) returns text language sql immutable strict parallel safe
return replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2);

create index accounts_disabled on accounts (plain_address(email)) where disabled_at is not null;

-- Used up by the sign-up that they let in. Hashes only.
create table invitations (
  id uuid primary key,
  hash text not null unique,
  -- Null: the link is for any address that may join.
  email text,
  expires_at timestamptz(3) not null
);
