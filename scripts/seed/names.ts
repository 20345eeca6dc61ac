// Names of people by culture. The share is out of all people; a name is in one script.

export type Culture = {
  script: string
  share: number
  given: string[]
  family: string[]
  write: (given: string, family: string) => string
}

const words = (text: string) => text.trim().split(/\s+/)
const western = (given: string, family: string) => `${given} ${family}`
const eastern = (given: string, family: string) => `${family} ${given}`
const easternClosed = (given: string, family: string) => `${family}${given}`

export const CULTURES: Culture[] = [
  {
    script: 'Latin',
    share: 20,
    given:
      words(`James Olivia Liam Emma Noah Charlotte Oliver Amelia William Sophia Henry Isabella Lucas Ava Benjamin Mia
      Theodore Evelyn Jack Harper Samuel Eleanor Daniel Grace Matthew Hazel Ethan Audrey Caleb Naomi Owen Ruby Marcus Jade
      Patrick Fiona Seán Siobhán Oisín Róisín Connor Maeve Tyrone Imani Malik Keisha Brian Heather Kevin Megan`),
    family:
      words(`Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Thomas Moore Jackson Martin White
      Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Green Baker Adams Nelson Hill Campbell Mitchell
      Carter Roberts O'Brien O'Neill O'Connor Murphy Kelly Ryan McCarthy MacDonald Fitzgerald Whitcombe Ashworth
      Washington Freeman Booker Hawthorne Lockwood Thistlethwaite Goldberg Friedman Rosenthal`),
    write: western,
  },
  {
    script: 'Latin',
    share: 12,
    given:
      words(`María José Lucía Mateo Sofía Santiago Martina Sebastián Valentina Nicolás Camila Andrés Inés Álvaro Noa
      Íñigo Begoña Joaquín Ximena Rodrigo João Beatriz Tiago Mariana Gonçalo Letícia Thiago Conceição Luís Antônio`),
    family:
      words(`García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez Díaz
      Núñez Muñoz Peña Ibáñez Castellanos Quiñones Silva Santos Oliveira Souza Gonçalves Magalhães Araújo Simões
      Guimarães Brandão Echeverría Zubizarreta`),
    write: western,
  },
  {
    script: 'Latin',
    share: 10,
    given: words(`Léa Chloé Zoé Théo Jérôme François Anaïs Benoît Céline Étienne Hélène Raphaël Lukas Jürgen Käthe Jörg
      Björn Heike Matthias Annika Günther Sören Lotte Willem Saskia Joost Fleur Daan Giulia Lorenzo Niccolò Chiara
      Alessandro Ludovica`),
    family:
      words(`Lefèvre Dubois Moreau Bézier Châtelain Marchand Gaultier d'Aubigné Le-Goff Müller Schröder Weiß Krüger
      Köhler Schäfer Großmann Böttcher Hoffmann Zimmermann Brandt van-Dijk de-Vries Jansen Bakker Visser Rossi Russo
      Esposito Bianchi Colombo D'Angelo Conti`),
    write: western,
  },
  {
    script: 'Latin',
    share: 7,
    given:
      words(`Åsa Øyvind Søren Linnéa Håkon Bjørg Aino Väinö Päivi Guðrún Þór Sigríður Łukasz Małgorzata Żaneta Zdzisław
      Jiří Kateřina Ondřej Žofie Ľubomír Zoltán Ágnes Gergő Ştefan Ioana Čedomir Željko Đorđe Jānis Ģirts Eglė Žygimantas`),
    family: words(`Lindqvist Øksendal Sørensen Ångström Håkansson Mäkinen Hämäläinen Þórðarson Jónsdóttir Wójcik
      Kamiński Zieliński Brzęczyszczykiewicz Dvořák Černý Novotná Kříž Szabó Tóth Kovács Győri Ionescu Țepeș Kovačević
      Đurić Bērziņš Kalniņš Kazlauskas Žukauskas Šimkutė`),
    write: western,
  },
  {
    script: 'Latin',
    share: 7,
    given: words(`Amara Chidi Ngozi Olúwaṣeun Adébáyò Fọlákẹ́ Kwame Akosua Kofi Ama Zainab Yusuf Thandiwe Sipho Nokuthula
      Tendai Wanjiru Kamau Achieng Otieno Abebe Tigist Fatou Mamadou Aïssatou Ousmane`),
    family:
      words(`Okafor Nwosu Adéyẹmí Ọládipọ̀ Eze Balogun Mensah Asante Osei Owusu Dlamini Nkosi Mokoena Moyo Chikwanda
      Mwangi Kipchoge Odhiambo Tesfaye Bekele Diallo Traoré N'Diaye Keïta Cissé`),
    write: western,
  },
  {
    script: 'Latin',
    share: 9,
    given:
      words(`Aarav Priya Rohan Ananya Vikram Lakshmi Arjun Deepika Karthik Meera Siddharth Kavya Rahul Ishita Nikhil
      Pooja Imran Ayesha Farhan Zara Bilal Hina Nadia Tariq Leila Omar Yasmin Karim Dewi Budi Siti Putri`),
    family:
      words(`Sharma Patel Iyer Krishnamurthy Venkataraman Reddy Menon Gupta Singh Kaur Chatterjee Banerjee Deshmukh
      Kulkarni Rao Bose Khan Ahmed Hussain Malik Qureshi Haddad Khoury El-Sayed Benali Rahman Wijaya Santoso
      Hartono Fernando Jayawardena`),
    write: western,
  },
  {
    script: 'Latin',
    share: 4,
    given: words(`Emre Ayşe Mehmet Zeynep Çağlar Gökçe Işıl İbrahim Özge Şule Uğur Ümit Aygün Rəşad Ləman Elchin`),
    family: words(`Yılmaz Kaya Demir Çelik Şahin Öztürk Aydın Arslan Doğan Kılıç Güneş Əliyev Məmmədov Hüseynova`),
    write: western,
  },
  {
    script: 'Latin',
    share: 6,
    given: words(`Minh Anh Hương Dũng Thảo Tuấn Ngọc Phương Hải Linh Quỳnh Đức Bảo Trâm Khánh Vy`),
    family: words(`Nguyễn Trần Lê Phạm Huỳnh Phan Vũ Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý`),
    write: eastern,
  },
  {
    script: 'Cyrillic',
    share: 4,
    given:
      words(`Александр Мария Дмитрий Анна Сергей Елена Алексей Ольга Николай Наталья Олександр Юлія Тарас Ірина Петър
      Десислава Милош Јелена Ғалым Айгүл`),
    family: words(`Иванов Смирнов Кузнецов Попов Волков Лебедев Козлов Новик Морозов Шевченко Коваленко Бондаренко
      Ткаченко Димитров Георгиев Николић Петровић Нұрлан`),
    write: western,
  },
  {
    script: 'Greek',
    share: 1.5,
    given: words(`Γιώργος Μαρία Δημήτρης Ελένη Κωνσταντίνος Αικατερίνη Νίκος Σοφία Ιωάννης Χρύσα`),
    family: words(`Παπαδόπουλος Αγγελόπουλος Οικονόμου Νικολαΐδης Γεωργίου Μακρής Βλάχος Καραγιάννης Θεοδώρου`),
    write: western,
  },
  {
    script: 'Arabic',
    share: 4,
    given: words(`محمد فاطمة أحمد عائشة علي مريم يوسف زينب عمر ليلى خالد نور حسن سارة إبراهيم هند مهدی نرگس`),
    family: words(`الحسن العلي حداد خوري المصري الشريف بن‌عيسى القحطاني الزهراني منصور صالح رضایی کریمی`),
    write: western,
  },
  {
    script: 'Hebrew',
    share: 1.5,
    given: words(`נועם תמר איתי נועה יונתן מאיה אורי שירה דוד יעל עומר מיכל`),
    family: words(`כהן לוי מזרחי פרץ ביטון דהן אברהם פרידמן שפירא רוזנברג גולן`),
    write: western,
  },
  {
    script: 'Devanagari',
    share: 3,
    given: words(`आरव अनन्या विवान दिया अर्जुन ईशा रोहन काव्या सिद्धार्थ मीरा राजेश सुनीता`),
    family: words(`शर्मा वर्मा गुप्ता सिंह पटेल मिश्रा जोशी त्रिपाठी कुलकर्णी देशमुख यादव`),
    write: western,
  },
  {
    script: 'Thai',
    share: 1,
    given: words(`สมชาย สมหญิง ณัฐพล พิมพ์ชนก กิตติ ศิริพร วรวิทย์ อรทัย ธนกร มาลี`),
    family: words(`ใจดี ศรีสุข วงศ์สวัสดิ์ แสงทอง บุญมี รัตนพันธ์ ทองคำ สุขสวัสดิ์`),
    write: western,
  },
  {
    script: 'Han',
    share: 5,
    given: words(
      `伟 芳 娜 秀英 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 秀兰 霞 子涵 浩宇 欣怡 梓轩 雨桐 思远 家豪 淑芬 志明 𠮷祥`,
    ),
    family: words(`王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 郑 歐陽 司马 諸葛`),
    write: easternClosed,
  },
  {
    script: 'Han',
    share: 3,
    given: words(`陽翔 結衣 蓮 美咲 大和 葵 悠真 凛 健太 花子 翔太 千尋 直樹 由美子 誠 恵子`),
    family: words(`佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 髙﨑 齋藤 長谷川`),
    write: eastern,
  },
  {
    script: 'Hangul',
    share: 2,
    given: words(`민준 서연 도윤 지우 예준 서현 시우 하은 주원 지민 현우 수빈 영희 철수`),
    family: words(`김 이 박 최 정 강 조 윤 장 임 한 오 남궁 황보`),
    write: easternClosed,
  },
]
