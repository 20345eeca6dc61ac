/** Short forms of first names, and spellings in other languages, folded and without accents. */
const GROUPS = `
alexander alex alec sasha aleksandr alexandre alejandro alessandro
alexandra alex sandra sasha aleksandra alessandra
andrew andy drew andreas andre andrea andrei
anthony tony antonio antoine
benjamin ben benny benji
catherine kate katie cathy kathy katherine kathryn catharina katharina ekaterina
charles charlie chuck carl karl carlos
christina chris tina christine kristina
christopher chris kristof christoph christophe
daniel dan danny
david dave davide
deborah debbie deb
dmitry dmitri dmitriy dima
dorothy dot dottie
edward ed eddie ted eduardo edouard
elizabeth liz beth lizzie betty eliza elisabeth lisa
eugene gene yevgeny evgeny evgeni evgenii
francis frank francisco francesco francois
frederick fred freddy friedrich frederic
gabriel gabe gabriele
george georg jorge giorgio yuri georges
gregory greg gregor
harold harry
henry harry hank heinrich henri enrique
isabella bella isabel isabelle
jacob jake jakob
james jim jimmy jamie
jennifer jen jenny
jessica jess jessie
john jack johnny jon johann juan jean giovanni ivan jan
jonathan jon jonny
joseph joe joey josef jose giuseppe
joshua josh
katarina katya kate
kenneth ken kenny
kimberly kim
lawrence larry laurence lorenz lorenzo
leonard leo len lenny leonardo
lucas luke lukas luca
margaret maggie meg peggy margarita marguerite
maria mary marie
mark marc marco marcus markus
matthew matt matteo matthias mathieu
maxwell max maximilian maxime
megan meg
mikhail misha michael
michael mike mick mickey michel miguel michele mikael
mohammed mohamed muhammad mohammad mohamad
natalie nat natalia natasha natalya
nathan nate nathaniel
nicholas nick nicolas nikolaus nico nikolai
olivia liv livia
pamela pam
patricia pat patty trish
patrick pat paddy patricio
paul pablo paolo pavel
peter pete pedro pierre pietro piotr
philip phil phillip philipp philippe felipe
rebecca becky becca
richard rick dick rich ricky ricardo
robert bob rob bobby bert roberto
ronald ron ronnie
samantha sam
samuel sam sammy
sergei sergey serge sergio
stephanie steph stefanie
stephen steve steven stefan stephan stefano esteban etienne
susan sue susie suzanne susanne
theodore ted theo teddy teodor
thomas tom tommy tomas tommaso
timothy tim timmy
valentina val
victoria vicky tori viktoria
vincent vince vincenzo vicente
vladimir vlad volodymyr wladimir
walter walt
william will bill billy wilhelm guillaume guillermo liam
yusuf yousef youssef
zachary zach zack
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const groupsOf = new Map<string, Set<string>>()
for (const group of GROUPS) {
  for (const name of group) groupsOf.set(name, new Set([...(groupsOf.get(name) ?? []), ...group]))
}

/** Whether one is a short or foreign form of the other. */
export const isSameFirstName = (one: string, other: string): boolean => groupsOf.get(one)?.has(other) ?? false

const UMLAUTS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** The name, the name with each of its words in the other forms, and with umlauts spelled the other way. */
export function nameVariants(folded: string): string[] {
  const words = folded.split(/\s+/)
  const variants = words.flatMap((word, at) =>
    [...(groupsOf.get(word) ?? [])].filter((form) => form !== word).map((form) => words.with(at, form).join(' ')),
  )
  const spelledOut = folded.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
  const shortened = folded.replaceAll(/[aou]e/g, (letters) => letters.charAt(0))
  return [...new Set([folded, ...variants, spelledOut, shortened])]
}
