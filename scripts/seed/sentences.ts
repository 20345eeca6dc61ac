import type { Random } from './random.ts'
import { cityName, coinedName } from './words.ts'

// Sentences of fellows' notes: where they met, what is being built, how it goes, what to do next.

type Sentence = (random: Random) => string

const EVENTS = [
  ...[
    'demo day',
    'the climate meetup',
    'Slush',
    'a hack night',
    'office hours',
    'the robotics open house',
    'Web Summit',
  ],
  ...[
    'a founders’ dinner',
    'the alumni reunion',
    'a seed-stage breakfast',
    'NeurIPS',
    'the biotech fair',
    'a warm intro',
  ],
  ...['the maker faire', 'ICML', 'a poster session', 'the grid symposium', 'a café near campus', 'the pitch marathon'],
  ...[
    'a lab tour',
    'the women-in-tech brunch',
    'SXSW',
    'Money20/20',
    'TechCrunch Disrupt',
    'the hardware expo',
    'EthCC',
  ],
]
const FIELDS = [
  ...['payments', 'drug discovery', 'battery recycling', 'warehouse robots', 'legal research', 'crop insurance'],
  ...[
    'observability',
    'radiology',
    'K-12 tutoring',
    'customs paperwork',
    'fraud detection',
    'grid balancing',
    'ATS/CRM',
  ],
  ...['GPU scheduling', 'compilers (C++ and Rust)', 'freight', 'elder care', 'satellite imagery', 'synthetic biology'],
  ...['café supply chains', 'machine translation', 'procurement', 'mental health', 'CO₂ capture', 'building permits'],
  ...[
    'vector databases',
    'fermented proteins',
    'tenant screening',
    'carbon accounting',
    'voice agents',
    'wildfire risk',
  ],
  ...['quantum error correction', 'fleet charging', 'dental imaging', 'payroll', 'geothermal drilling', 'home nursing'],
  ...[
    'open-source maintenance',
    'cold-chain sensors',
    'micro-lending',
    'sign language',
    'aquaculture',
    'ferry routing',
  ],
  ...[
    'zero-knowledge proofs',
    'hospital staffing',
    'invoice factoring',
    'museum archives',
    'seed genetics',
    '3D metrology',
  ],
]
const BUYERS = [
  ...['hospitals', 'regional banks', 'utilities', 'schools', 'law firms', 'farmers’ co-operatives', 'city councils'],
  ...['data teams', 'ports', 'insurers', 'restaurants', 'research labs', 'freelancers', 'mid-size manufacturers'],
  ...['airlines', 'pharmacies', 'game studios', 'landlords', 'dentists', 'exporters', 'fishing fleets', 'universities'],
  ...[
    'credit unions',
    'wind farms',
    'translators',
    'shipyards',
    'kindergartens',
    'telecoms',
    'recruiters',
    'vineyards',
  ],
]
const ROLES = [
  ...['CTO', 'head of sales', 'founding engineer', 'clinical lead', 'COO', 'designer', 'chief scientist', 'controller'],
  ...['compliance officer', 'growth lead', 'field engineer', 'community manager', 'data scientist', 'general counsel'],
]
const FIRMS = [
  ...['Stripe', 'DeepMind', 'Siemens', 'Grab', 'Mercado Libre', 'NASA', 'Shopify', 'BCG', 'Flipkart', 'ASML', 'Nubank'],
  ...[
    'Spotify',
    'Samsung',
    'Tencent',
    'Novartis',
    'Ørsted',
    'M-Pesa',
    'Palantir',
    'CERN',
    'Toyota',
    'Wise',
    'Genentech',
  ],
]
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'September', 'October', 'November', 'December']
const JUDGEMENTS = [
  ...['fair', 'rich', 'cheap', 'made up', 'honest', 'optimistic', 'stale', 'puzzling', 'generous', 'defensible'],
  ...[
    'impressive',
    'thin',
    'borrowed',
    'surprising',
    'overdue',
    'unfinished',
    'convincing',
    'fragile',
    'boring',
    'bold',
  ],
]
const money = (random: Random) =>
  `$${random.one(['', '', '1', '2', '4'])}${random.between(1, 9)}${random.one(['0K', '5K', '.5M', 'M'])}`

export const OPENINGS: Sentence[] = [
  (r) => `Met at ${r.one(EVENTS)} in ${cityName(r)}.`,
  (r) => `Met through ${r.one(EVENTS)}, then a long call on ${r.one(FIELDS)}.`,
  (r) => `Intro from the ${r.one(ROLES)} of ${coinedName(r)}.`,
  (r) => `Ex-${r.one(FIRMS)}, now in ${cityName(r)}.`,
  (r) => `Cold e-mail, ${r.one(JUDGEMENTS)}. ${r.between(2, 14)} years in ${r.one(FIELDS)}.`,
  (r) => `Applied through the website from ${cityName(r)}; writes well on ${r.one(FIELDS)}.`,
  (r) => `Was ${r.one(ROLES)} at ${r.one(FIRMS)} until ${r.one(MONTHS)}.`,
  (r) => `Coffee with the ${r.one(ROLES)}, an old classmate.`,
  (r) => `Returning founder, sold ${coinedName(r)} to ${r.one(FIRMS)}.`,
  (r) => `Second call. Calmer and sharper than at ${r.one(EVENTS)}.`,
  (r) => `Spun out of a lab in ${cityName(r)}; PhD on ${r.one(FIELDS)}.`,
  (r) => `Found via a talk on ${r.one(FIELDS)}, ${r.between(3, 90)} minutes well spent.`,
  (r) => `Knows ${r.one(BUYERS)} from the inside: ran operations at ${coinedName(r)}.`,
]

export const MIDDLES: Sentence[] = [
  (r) => `Building ${coinedName(r)}, software for ${r.one(FIELDS)}, sold to ${r.one(BUYERS)}.`,
  (r) => `They replace ${coinedName(r)} at ${r.one(BUYERS)} in ${r.between(2, 12)} weeks.`,
  (r) => `${r.between(2, 60)} paying customers, ${money(r)} ARR, growing ${r.between(4, 40)}% a month.`,
  (r) => `Pilot with ${r.between(2, 9)} ${r.one(BUYERS)}; ${r.one(['one', 'two', 'none'])} signed so far.`,
  (r) => `Raising ${money(r)} at a cap that feels ${r.one(JUDGEMENTS)}.`,
  (r) => `Churn is ${r.between(0, 9)}.${r.between(0, 9)} % and net retention ${r.between(90, 160)}%.`,
  (r) => `NPS of ${r.between(20, 90)}, says the deck. A customer called it “${r.one(JUDGEMENTS)}”.`,
  (r) => `Competes with ${coinedName(r)} and ${coinedName(r)}, both better funded.`,
  (r) => `The model was trained on ${r.between(2, 90)} million records from ${r.one(BUYERS)}.`,
  (r) => `Team of ${r.between(2, 30)}, looking for a ${r.one(ROLES)}.`,
  (r) => `The codebase is C++ and a little Python; latency is ${r.between(2, 400)} ms at p99.`,
  (r) => `"Nobody wants ${r.one(FIELDS)}, they want to go home at five", as they put it.`,
  (r) => `Gross margin ${r.between(20, 90)}%, hardware included; 100% of it made in ${cityName(r)}.`,
  (r) => `Waitlist of ${r.between(1, 90)},000. Conversion is ${r.between(1, 30)} %.`,
  (r) => `Two patents on ${r.one(FIELDS)}, one pending.`,
  (r) => `CAC payback in ${r.between(3, 24)} months; sales cycle of ${r.between(2, 18)}.`,
  (r) => `Uses ${coinedName(r)} under the hood, which worries me.`,
  (r) => `The ${r.one(ROLES)} left in ${r.one(MONTHS)}; the story holds up.`,
  (r) => `Pricing looks ${r.one(JUDGEMENTS)}, distribution ${r.one(JUDGEMENTS)}.`,
  (r) => `Their ${r.one(ROLES)} came from ${r.one(FIRMS)} and it shows.`,
  (r) => `The demo for ${r.one(BUYERS)} was ${r.one(JUDGEMENTS)}, the roadmap ${r.one(JUDGEMENTS)}.`,
  (r) => `Moat: an exclusive with ${coinedName(r)} on ${r.one(FIELDS)}.`,
  (r) => `Grew out of a thesis about ${r.one(FIELDS)} and a grudge against ${coinedName(r)}.`,
  (r) => `Burns ${money(r)} a month, ${r.between(3, 30)} months of runway.`,
  (r) => `Regulators in ${cityName(r)} are ${r.one(['friendly', 'slow', 'a risk', 'curious', 'the real customer'])}.`,
  (r) => `Angels: the ${r.one(ROLES)} of ${r.one(FIRMS)}, and two from ${coinedName(r)}.`,
]

export const ENDINGS: Sentence[] = [
  (r) => `Follow up in ${r.one(MONTHS)}.`,
  (r) => `Next: reference call with ${coinedName(r)}.`,
  () => `Asked for the data room and the cohort sheet.`,
  (r) => `Introduce to ${r.one(['the partner for', 'someone who buys', 'our adviser on'])} ${r.one(FIELDS)}.`,
  (r) => `Pass for now; look again after the ${money(r)} round.`,
  () => `Strong yes from me.`,
  (r) => `Visit them in ${cityName(r)} in ${r.one(MONTHS)}.`,
  (r) => `To do: check the cap table (a 3rd co-founder holds ${r.between(2, 30)}%).`,
  (r) => `Term sheet expected ${r.one(['Monday', 'this week', 'any day', 'never'])} …`,
  (r) => `Deck: https://docsend.example/${r.below(2 ** 31).toString(36)}`,
]

export const FOREIGN: Sentence[] = [
  (r) => `Rencontrée à ${cityName(r)} ; très à l’aise avec les chiffres, à revoir au printemps.`,
  (r) => `Gutes Gespräch über ${coinedName(r)}: Umsatz wächst, Gründer überzeugend, Größe des Marktes unklar.`,
  (r) => `Muy buena energía; factura ${r.between(10, 900)} mil € al año y quiere abrir en ${cityName(r)}.`,
  (r) => `Equipe pequena, mas já tem ${r.between(3, 80)} clientes em São Paulo.`,
  (r) => `见面聊了一个小时，团队扎实，产品“${coinedName(r)}”已有${r.between(3, 80)}家客户，下个月再跟进。`,
  (r) => `${cityName(r)}で面談。技術力は高いが、営業体制はこれから。来月${coinedName(r)}のデモを見る予定。`,
  (r) => `창업자가 시장을 아주 잘 이해하고 있음. 매출은 매달 ${r.between(3, 40)}% 성장 중.`,
  (r) => `Познакомились на конференции; команда сильная, выручка растёт на ${r.between(3, 40)} % в месяц.`,
  (r) => `التقينا في المؤتمر، فريق ممتاز ولديهم ${r.between(3, 80)} عميلاً حتى الآن.`,
  (r) => `टीम बहुत मज़बूत है, अब तक ${r.between(3, 80)} ग्राहक जुड़ चुके हैं।`,
  (r) => `Gặp ở Hà Nội, sản phẩm đã có ${r.between(3, 80)} khách hàng trả tiền.`,
  (r) => `Kurucu ekip güçlü; İstanbul’da ${r.between(3, 80)} müşteri.`,
]

export const ASIDES = [
  '🚀',
  '🔥 hot',
  '👀',
  '💡',
  '✅ refs done',
  '🇧🇷',
  '👩‍🔬',
  '⚠️ conflict?',
  '🙏',
  '10/10',
  '¯\\_(ツ)_/¯',
  '<3',
  '~ $$$',
]

export const TITLES = [
  ...['Founder & CEO', 'Co-founder & CEO', 'Co-founder & CTO', 'Founder', 'CEO', 'CTO', 'Chief Scientist', 'COO'],
  ...['Founding Engineer', 'VP Product', 'PhD Candidate', 'Research Scientist', 'Co-founder', 'Managing Director'],
]

export const BIOS: Sentence[] = [
  (r) => `${r.between(3, 25)} years in ${r.one(FIELDS)}, lately for ${r.one(BUYERS)}.`,
  (r) => `Previously ${r.one(ROLES)} at ${r.one(FIRMS)} and ${coinedName(r)}.`,
  (r) => `Studied in ${cityName(r)}, moved to ${cityName(r)} to work on ${r.one(FIELDS)}.`,
  (r) => `Writes about ${r.one(FIELDS)} and ${r.one(FIELDS)}.`,
  (r) => `Second-time founder; sold ${coinedName(r)} in ${r.between(2009, 2024)}.`,
  () => `Angel investor, mentor, and a runner on most mornings.`,
]

export const DESCRIPTIONS: Sentence[] = [
  (r) => `Software for ${r.one(FIELDS)}, made for ${r.one(BUYERS)}.`,
  (r) => `${r.one(['The', 'An open', 'A simpler', 'A faster'])} platform for ${r.one(FIELDS)}.`,
  (r) => `Helps ${r.one(BUYERS)} with ${r.one(FIELDS)}, in ${r.between(2, 40)} countries.`,
  (r) => `From ${cityName(r)}: ${r.one(FIELDS)} without the paperwork.`,
]

export const INDUSTRIES = [
  ...[
    'Financial technology',
    'Health care',
    'Developer tools',
    'Energy storage',
    'Robotics',
    'Education',
    'Agriculture',
  ],
  ...['Biotechnology', 'Logistics', 'Security', 'Marketplace', 'Materials', 'Semiconductors', 'Space', 'Government'],
]
