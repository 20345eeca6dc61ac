-- Search beyond the searched fields: enriched texts and fellow notes that contain a term, and similar names.
alter table records add column mention_text text not null default '';
alter table notes add column search_text text not null default '';

-- The server folds both texts when it writes them. Here lower() may know ASCII only, as in the locale C, so the letters of
-- the European alphabets follow.
do $$
declare
  upper_letters text :=
      'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟ'
      'ƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥ'
      'ΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲ'
      'ҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖḀḂḄḆḈḊḌḎḐḒ'
      'ḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶ'
      'ỸỺỼỾἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺᾼῈῊῌῘῙῚῨῩῪῬῸῺῼ';
  lower_letters text :=
      'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵ'
      'ơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυ'
      'φχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳ'
      'ҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆḁḃḅḇḉḋḍḏḑḓ'
      'ḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷ'
      'ỹỻỽỿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰᾳὲὴῃῐῑὶῠῡὺῥὸὼῳ';
begin
  update records set mention_text = lower(translate(normalize(text, nfkc), upper_letters, lower_letters))
  from (
    select id as of_id, rtrim(case when kind like '%founder' then concat_ws(E'\x1f',
      replace(coalesce(case when jsonb_typeof(additional_info -> 'current_title') = 'string' then additional_info ->> 'current_title' end, ''), E'\x1f', ' '),
      replace(coalesce(case when jsonb_typeof(additional_info -> 'bio') = 'string' then additional_info ->> 'bio' end, ''), E'\x1f', ' ')
    ) else concat_ws(E'\x1f',
      replace(coalesce(case when jsonb_typeof(additional_info -> 'industry') = 'string' then additional_info ->> 'industry' end, ''), E'\x1f', ' '),
      replace(coalesce(description, ''), E'\x1f', ' '),
      replace(coalesce(case when jsonb_typeof(additional_info -> 'description') = 'string' then additional_info ->> 'description' end, ''), E'\x1f', ' ')
    ) end, E'\x1f') as text
    from records
  ) texts
  where id = of_id and text <> '';

  update notes set search_text = lower(translate(normalize(replace(content, E'\x1f', ' '), nfkc), upper_letters, lower_letters));
end $$;

-- The grams are not stored: only the indexes read them. Every search also reads the list of pending entries, so it is kept
-- short. As with the grams of records, no statistics: the plans are fixed. A record without texts costs the index nothing.
create index founders_mentions on records using gin (search_grams(mention_text)) with (gin_pending_list_limit = 256)
  where kind = 'founder' and mention_text <> '';
create index companies_mentions on records using gin (search_grams(mention_text)) with (gin_pending_list_limit = 256)
  where kind = 'company' and mention_text <> '';
create index founder_notes_search on notes using gin (search_grams(search_text)) with (gin_pending_list_limit = 256)
  where kind = 'founder';
create index company_notes_search on notes using gin (search_grams(search_text)) with (gin_pending_list_limit = 256)
  where kind = 'company';

-- The words of names, and long ones without any one letter. The name is the first field of the search text.
create index founders_by_word on records using gin (word_keys(split_part(search_text, E'\x1f', 1)))
  with (gin_pending_list_limit = 256) where kind = 'founder';
create index companies_by_word on records using gin (word_keys(split_part(search_text, E'\x1f', 1)))
  with (gin_pending_list_limit = 256) where kind = 'company';

alter index founders_mentions alter column 1 set statistics 0;
alter index companies_mentions alter column 1 set statistics 0;
alter index founder_notes_search alter column 1 set statistics 0;
alter index company_notes_search alter column 1 set statistics 0;
alter index founders_by_word alter column 1 set statistics 0;
alter index companies_by_word alter column 1 set statistics 0;
