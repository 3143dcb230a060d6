/** Words that attackers try first. A password made of one of them, repeated or followed by digits, is refused. */
export const commonPasswords: readonly string[] = `
  123456 1234567 12345678 123456789 1234567890 0123456789 987654321 9876543210 123123 password passwort passw0rd
  pa55word motdepasse contrasena changeme changeit letmein qwerty qwertyuiop qwertyuiopasdf qwertyuiopasdfghjkl
  qwertzuiop azertyuiop asdfghjkl asdfghjklqwertyuiop zxcvbnm qazwsx qazwsxedc qazwsxedcrfv 1q2w3e4r 1q2w3e4r5t
  1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv zaq12wsx zaq1xsw2 q1w2e3r4t5y6 abcdefgh abc abcd1234
  a1b2c3d4 a1b2c3d4e5f6 abcdefghijkl administrator admin root welcome welcometo iloveyou iloveyousomuch loveyou
  princess sunshine football baseball basketball superman batman dragon monkey master shadow michael jennifer
  jessica charlie jordan liverpool trustno whatever starwars pokemon computer internet samsung google facebook
  linkedin secret topsecret mypassword mysecret newpassword yourpassword thisismypassword nopassword default guest
  testtest test testing demo user login gateway correcthorsebatterystaple spring summer autumn winter january
  february september october november december
`
  .trim()
  .split(/\s+/);
