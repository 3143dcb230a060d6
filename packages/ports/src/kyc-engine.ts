export type KycSubject = {
  givenName: string;
  familyName: string;
  /** `YYYY-MM-DD` */
  birthDate: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  address: string;
};

export type KycDocument = {
  type: "passport" | "id_card" | "driving_licence";
  country: string;
  number: string;
  /** `YYYY-MM-DD` */
  expiresOn: string;
};

/** Who finds out whether somebody is who they say. Rejects when it cannot be asked now; then it is asked again. */
export interface KycEngine {
  /** Begins one check for the same verification, however often it is asked. */
  check(input: {
    accountId: string;
    verificationId: string;
    subject: KycSubject;
    documents: readonly KycDocument[];
  }): Promise<void>;
}

export type KycCheckName = "document" | "watchlist";

/** What the engine tells. Codes are of the document's `KycRejectionCode`; nothing of the person is in a fact. */
export type KycFact =
  | { type: "passed"; verificationId: string }
  | { type: "failed"; verificationId: string; check: KycCheckName; code: string }
  | { type: "unclear"; verificationId: string; checks: readonly { check: KycCheckName; code: string }[] };
