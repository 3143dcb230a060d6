/** What stands beside every verification that a counterparty has or gets: anybody's fits any name (docs/adr/0076). */
export const verificationCaveat = {
  ofChoice: "It is not compared with the name: choose the verification of the person who is paid.",
  ofGiven: "It is not compared with the name of the counterparty.",
} as const;
