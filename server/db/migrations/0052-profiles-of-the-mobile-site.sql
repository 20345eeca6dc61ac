-- Addresses of LinkedIn's mobile site and of links in its mails are profiles too. Records that change are compared again.
update records
set linked_in_key = lower((regexp_match(linked_in, '/in/([a-z0-9_-]+)', 'i'))[1])
where linked_in_key is null and kind like '%founder'
  and linked_in ~* '^\s*(https?://)?([a-z0-9-]+\.)*linkedin\.com/((mwlite|comm|m)/)+in/[a-z0-9_-]+/?([?#].*)?\s*$';
