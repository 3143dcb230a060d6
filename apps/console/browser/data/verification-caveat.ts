/** The note at each verification of a counterparty. It may belong to a person with another name (docs/adr/0076). */
export const verificationCaveat = {
  ofChoice: "It is not compared with the name: choose the verification of the person who is paid.",
  ofGiven: "It is not compared with the name of the counterparty.",
} as const;
