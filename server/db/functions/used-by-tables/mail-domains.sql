-- The domain of an email address that may belong to its person's company: null for providers of mail to everyone, also under
-- their other endings, and for addresses that services make up. An index contains it, so a change of the list needs a
-- migration that builds the index again.
create or replace function mail_domain(email text) returns text language plpgsql immutable strict parallel safe as $$
declare
  domain text := substring(lower(btrim(left(email, 400))) from '@((?:[a-z0-9][a-z0-9-]*\.)+[a-z][a-z0-9-]+)$');
begin
  if domain ~ ('^(aol|bigpond|btinternet|daum|duck|fastmail|foxmail|freenet|gmail|gmx|googlemail|hanmail|hey|hotmail|hushmail|'
      'icloud|inbox|interia|laposte|libero|live|mail|mailbox|me|mozmail|msn|naver|onet|outlook|pm|posteo|proton|protonmail|'
      'rambler|rediffmail|rocketmail|seznam|simplelogin|t-online|tuta|tutanota|virgilio|wanadoo|web|ya|yahoo|yandex|yeah|ymail|'
      'zoho|zohomail)\.(com?\.)?[a-z]{2,4}$')
    or domain ~ '(^|\.)(126|163|139|qq|sina|sohu|att|charter|comcast|cox|verizon|bellsouth|sbcglobal|mac)\.(com|net)(\.cn)?$'
    or domain ~ '^((free|orange|sfr)\.fr|(bk|list|vk)\.ru|(o2|wp|op)\.pl|(bol|terra|uol)\.com\.br)$'
    or domain ~ '^(privaterelay\.appleid\.com|users\.noreply\.github\.com|noreply\..*)$' then
    return null;
  end if;
  return domain;
end $$;
