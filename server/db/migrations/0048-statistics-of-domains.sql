-- As in 0031. Without them, suggestions by a domain may read all domains.
create statistics records_site on (reverse(domain_key) collate "C") from records;
create statistics records_mail_domain on (reverse(mail_domain(additional_info ->> 'email')) collate "C") from records;
analyze records;
