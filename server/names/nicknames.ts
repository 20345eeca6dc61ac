/** First names with their short forms and their spellings in other languages, without accents. */
export const GROUPS = `
aaron aron
abdul abdulrahman abdelrahman
abdullah abdallah
abigail abby gail
adam adamo adan
adrian adriano adrien
agnes agnieszka ines
ahmed ahmad ahmet
alan allan allen
albert al bert alberto bertie
alexander alex alec sasha sascha aleksandr aleksander oleksandr alexandre alejandro alessandro xander
alexandra alex sandra sasha sascha aleksandra oleksandra alejandra alessandra
alexey alexei aleksei aleksey alexis alessio alyosha oleksiy oleksii
alfred fred alfredo
alice alicia alisa
amanda mandy
anastasia nastya anastasiya
andrew andy drew andre andrei andrey andrii andriy andrzej anders ondrej
andreas andy anders
andrea
angela angie angelica
ann anne anna annie anya hanna hannah ania
anthony tony antonio antoine anton toni
arthur art arturo artur
augustin
barbara barb basia
bartholomew bart bartosz bartek
benjamin ben benny benji
bernard bernie bernardo bernhard
carol caroline carolina carolyn
catalin
catherine kate katie cathy kathy katherine kathryn catharina katharina ekaterina katarzyna kasia caterina catalina kaarina
celestin
charles charlie chuck carl karl carlos carlo karol
charlotte lotte charlie carlotta
christina chris tina christine kristina kristin cristina
christopher chris kit kristof christoph christophe cristobal krzysztof kristoffer cristoforo
christian chris cristian kristian
claude claudio claudius klaus
clara klara claire
colin
cosmin
cynthia cindy
daniel dan danny danila
daniela daniella danielle dani
david dave davide dawid
deborah debbie deb
dennis denis
diana diane
dmitry dmitri dmitriy dmitrii dima dmytro dimitri mitya
dominic dom domenico dominik dominique
dorothy dot dottie dorota dorothea
edmund ed ned
edward ed eddie ted ned eduardo edouard edvard
ekaterina katya katja yekaterina kateryna katia
eleanor ellie nora eleonora
elena helen helena helene olena yelena alyona
elizabeth liz beth lizzie betty eliza elisabeth elisabetta lisa elisa bettina elzbieta isabel
emanuel manuel manny manolo emmanuel
emily emilia emilie
emma
enrico henry harry
eric erik erick
erin
ernest ernie ernesto ernst
eugene gene yevgeny evgeny evgeni evgenii yevhen yevgeni zhenya eugenio
eugenia evgenia yevgenia zhenya yevheniia
eva eve ewa
felix feliks
ferdinand fernando ferran nando
florin
frances fran francesca francisca franziska franca
francis frank fran francisco francesco francois franz paco pancho franciszek frans
frederick fred freddy friedrich frederic fritz federico fryderyk frederik fredrik
gabriel gabe gabriele
gabriela gabi gabriella gabrielle
geoffrey jeff geoff jeffrey
george georg jorge giorgio georges jerzy georgi giorgos georgios jurgen joris
gerald gerry jerry gerard gerhard gerardo
gregory greg gregor grigory grzegorz gregorio
guadalupe lupe lupita
gustav gustavo gus gustaf
harold harry harald
henry harry hank heinrich henri enrique henrik henryk hendrik henk enrico
hugo hugh ugo
hussein husain hossein hussain
ibrahim abraham
ignacio nacho ignatius ignazio
igor ihor
irene irina iryna
isaac ike itzhak yitzhak izaak
isabella bella isabel isabelle izabela
ivan vanya
jacqueline jackie
jacob jake jakob jacques iacopo yakov jaap giacomo
james jim jimmy jamie
jan
jane janet jana
jasmin
jason
jeanne
jennifer jen jenny
jeremy jerry jeremiah
jessica jess jessie
joan joanna joanne johanna giovanna juana jo
john jack johnny jon johann johannes juan jean giovanni ivan jan hans hannes joao jens jannis
jonathan jon jonny
joseph joe joey josef jose giuseppe jozef beppe pepe josep iosif beppo
josephine josie josefina jo
joshua josh
judith judy
julia julie juliana yulia yuliya julija giulia iuliia
julian julien julio juliano
justin
karin
kenneth ken kenny
kimberly kim
konstantin kostya constantine costas kostas konstantinos costa constantin
laura lauren
lawrence larry laurence lorenz lorenzo laurent
leonard leo len lenny leonardo leon lev
lewis lou louis luis luigi ludwig luiz ludovic
louise luisa lou luise
lucas luke lukas luca lukasz
lucy lucia lucie
magdalena maggie lena magda
malgorzata gosia margaret
manuela manu
margaret maggie meg peggy margarita marguerite margot greta margarete rita peg
maria mary marie mariya mariia marija
marin
mario
mark marc marco marcus markus marek marcos marko
marta martha
martin marty martino marcin
matthew matt matteo matthias mathieu mateusz matteus mattias mateo
maxwell max maximilian maxime maxim maksim maksym massimo
megan meg
mehmet mohammed
michael mike mick mickey michel miguel michele mikael mikhail misha michal mykhailo mihai micha
michelle shelly michele
mohammed mohamed muhammad mohammad mohamad muhammed mamadou
moses moshe moises musa
nancy nan
natalie nat natalia natasha natalya nataliya nataliia
nathan nate nathaniel
nicholas nick nicolas nikolaus nico nikolai nikolay mykola mikolaj nicola niklas nikolaos nikos klaus kolya nikita
nicole nicola nicoletta nikki
olga olha olya
oliver olly olivier oliviero
olivia liv livia
oluwaseun seun
pamela pam
patricia pat patty trish patrizia patrycja
patrick pat paddy patricio patrizio patryk
paul paolo pavel pablo pawel pavlo pol paulo
paula paola paulina pauline
peter pete pedro pierre pietro piotr pyotr petr petro petar piet
philip phil phillip philipp philippe felipe filip
rachel rachael raquel rahel
ralph rolf raul
raymond ray raimund ramon
rebecca becky becca
richard rick dick rich ricky ricardo riccardo ryszard
robert bob rob bobby bert roberto
robin
roger ruediger rudiger rogerio
ronald ron ronnie
rose rosa rosie
roxana roxanne
rudolf rudolph rudy
salvatore salvador toto
samantha sam
samuel sam sammy
sarah sara sally
sean shaun shawn
sebastian basti seb sebastien bastian sebastiano
sergei sergey serge sergio serhiy serhii sergiy sergii
simon simeon szymon semyon
sophia sofia sophie zofia sofya sofiya
sorin
stanislav stan stanislaw stas
stephanie steph stefanie stefania
stephen steve steven stefan stephan stefano esteban etienne stepan szczepan
susan sue susie suzanne susanne susanna susannah zuzana
tatiana tanya tatyana tetiana
theodore ted theo teddy teodor fyodor fedor
theresa terry tess tessa teresa
thomas tom tommy tomas tommaso tomasz toma
timothy tim timmy timofey
tobias toby
valentina val
veronica ronnie veronika
victor vic viktor vittorio
victoria vicky tori viktoria viktoriya
vincent vince vincenzo vicente vinzenz
virginia ginny
vladimir vlad volodymyr wladimir vova volodya wlodzimierz
walter walt valter gualtiero
william will bill billy wilhelm guillaume guillermo liam willem guglielmo
xavier javier xavi
yasmin
yuri yury yurii iurii jurij
yusuf yousef youssef joseph yosef yussuf
zachary zach zack
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const formsOf = new Map<string, Set<string>>()
for (const group of GROUPS) {
  for (const name of group) formsOf.set(name, new Set([...(formsOf.get(name) ?? []), ...group]))
}

export const isFirstName = (word: string): boolean => formsOf.has(word)

/** Whether one is a short or foreign form of the other. */
export const isSameFirstName = (one: string, other: string): boolean => formsOf.get(one)?.has(other) ?? false

const withoutAccents = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '')

/** The name, and the name with each of its words in the other forms. */
export function nameVariants(folded: string): string[] {
  const words = withoutAccents(folded).split(/[\s,.]+/)
  const variants = words.flatMap((word, at) =>
    [...(formsOf.get(word) ?? [])].filter((form) => form !== word).map((form) => words.with(at, form).join(' ')),
  )
  return [folded, ...variants]
}
