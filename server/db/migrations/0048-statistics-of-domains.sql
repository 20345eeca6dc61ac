-- As in 0031. Without them, suggestions of companies by a domain may read all domains. Those of founders stay without: their
-- key is slow to compute.
create statistics records_site on (reverse(domain_key) collate "C") from records;
analyze records;
