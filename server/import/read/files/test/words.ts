import type { CsvDialect } from '#contract/import-file.ts'

type Words = { names: string[]; places: string[]; notes: string[]; headers: string[] }

const WESTERN: Words = {
  names: [
    ...['José Núñez', 'Zoë Krüger', 'François Lefèvre', 'Anaïs Müller', 'Søren Kjær', 'João Gonçalves', 'Björn Strauß'],
    ...['Íñigo Peña', 'Chloé Dubois', 'Jürgen Größe', 'Åsa Lindström', 'Élodie Benoît', 'Tom Baker', 'Ann Smith'],
  ],
  places: ['München', 'São Paulo', 'Malmö', 'Genève', 'Köln', 'La Coruña', 'Boston', 'Zürich'],
  notes: [
    ...['Größte Firma für Wärme', 'Déjà vu à l’été', 'Corazón y opción', 'Introduced by Tom', 'Ça va très bien'],
    ...['Möchte später zurückrufen', 'Não tem interesse', 'Har redan en kund på gång', 'Budget 5 Mio, – später'],
  ],
  headers: ['Straße', 'Téléphone', 'Größe', 'Año', 'Prénom', 'Region'],
}

const LEGACY = {
  'windows-1252': WESTERN,
  macintosh: WESTERN,
  'windows-1250': {
    names: [
      ...['Łukasz Wiśniewski', 'Małgorzata Dąbrowska', 'Jiří Dvořák', 'Žofie Růžičková', 'Gábor Szőke', 'Petr Němec'],
      ...['Erzsébet Kővári', 'Šárka Nováková', 'Zbigniew Żak', 'Đorđe Kovačević', 'Ştefan Ionescu', 'Jan Novak'],
    ],
    places: ['Łódź', 'Kraków', 'Brno', 'Plzeň', 'Győr', 'Székesfehérvár', 'Gdańsk', 'Zagreb', 'Košice'],
    notes: [
      ...[
        'Zadzwonić w środę po południu',
        'Chce więcej szczegółów',
        'Přišel s novým nápadem',
        'Következő héten újra hívni',
      ],
      ...['Poznałem ją na targach', 'Želi više informacija', 'Introduced by Tom', 'Příští týden znovu'],
    ],
    headers: ['Województwo', 'Imię', 'Město', 'Utca', 'Země', 'Status'],
  },
  'windows-1251': {
    names: [
      ...[
        'Иван Петров',
        'Мария Соколова',
        'Олександр Шевченко',
        'Наталія Ковальчук',
        'Георги Димитров',
        'Юрий Щербаков',
      ],
      ...['Анна Кузнецова', 'Пётр Ёлкин', 'Tom Baker', 'Стефан Иванов'],
    ],
    places: ['Москва', 'Київ', 'София', 'Санкт-Петербург', 'Минск', 'Львів'],
    notes: [
      ...['Познакомились на конференции', 'Хочет узнать больше', 'Зателефонувати у вівторок', 'Среща в петък', 'ok'],
      ...['Занимается хранением энергии', 'ООО «Свет»'],
    ],
    headers: ['Город', 'Телефон', 'Компания', 'Страна', 'Регион'],
  },
  shift_jis: {
    names: [
      ...[
        '田中 太郎',
        '佐藤 花子',
        '鈴木 一郎',
        '高橋 さくら',
        '渡辺 ケンジ',
        '中村 由美',
        'Tom Baker',
        '小林 直樹',
        '山本 恵',
      ],
    ],
    places: ['東京', '大阪', '京都', '横浜', '札幌', '福岡'],
    notes: [
      ...[
        '会議で初めて会いました',
        '来週もう一度電話する',
        '能力が高い、経験も豊富',
        'ソフトウェアの開発',
        '資料を表にして送る',
        'ok',
      ],
    ],
    headers: ['都市', '電話番号', '会社', '国', 'メモ'],
  },
  gb18030: {
    names: ['王伟', '李娜', '张敏', '刘洋', '陈静', '杨帆', '赵磊', '黄丽', '欧阳雪', 'Tom Baker', '周杰'],
    places: ['北京', '上海', '深圳', '广州', '杭州', '成都'],
    notes: ['在会议上认识', '下周再打电话', '对我们的产品很感兴趣', '公司成立于去年,正在融资', 'ok', '需要更多资料'],
    headers: ['城市', '电话', '公司', '国家', '备注'],
  },
} satisfies Partial<Record<CsvDialect['encoding'], Words>>

const { macintosh: _, ...DIFFERENT } = LEGACY
const all = (part: keyof Words) => Object.values(DIFFERENT).flatMap((words) => words[part])
const UNICODE: Words = { names: all('names'), places: all('places'), notes: all('notes'), headers: all('headers') }

/** Text that each encoding can hold. Unicode holds the text of all others. */
export const WORDS: Record<CsvDialect['encoding'], Words> = {
  ...LEGACY,
  'utf-8': UNICODE,
  'utf-8-twice': UNICODE,
  'utf-16le': UNICODE,
  'utf-16be': UNICODE,
}
