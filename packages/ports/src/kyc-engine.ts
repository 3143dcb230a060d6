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

/** Checks the identity of a person. A call rejects when the engine is unavailable, and is then repeated. */
export interface KycEngine {
  /** Begins one check for each verification, however often it is called. */
  check(input: {
    accountId: string;
    verificationId: string;
    subject: KycSubject;
    documents: readonly KycDocument[];
  }): Promise<void>;
}

export type KycCheckName = "document" | "watchlist";

/** A report of the engine. Its codes come from the document's `KycRejectionCode`. A fact has no data of the person. */
export type KycFact =
  | { type: "passed"; verificationId: string }
  | { type: "failed"; verificationId: string; check: KycCheckName; code: string }
  | { type: "unclear"; verificationId: string; checks: readonly { check: KycCheckName; code: string }[] };
