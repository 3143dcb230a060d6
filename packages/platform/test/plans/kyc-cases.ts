import type { Platform } from "../../src/compose/platform.ts";
import { change, cursorAt, limit, read, refused, type Case } from "./cases.ts";
import { idAt, owners } from "./row-values.ts";

const { huge, small } = owners;

type KycFilter = { reference?: string; status?: "rejected" | "verified" | "review_required" };

export const kycCases = (rows: number): Case[] => {
  const page = (accountId: string, filter: KycFilter, position?: number) => (platform: Platform) =>
    platform.identity.verifications.list({
      accountId,
      ...filter,
      limit,
      ...cursorAt(`kyc-verifications ${accountId} ${filter.status ?? ""} ${filter.reference ?? ""}`, "kyc", position),
    });
  const [often, frequent, rare] = [
    { reference: "often" },
    { status: "review_required" },
    { status: "rejected" },
  ] as const;
  return [
    read("verifications of a reference", 4, page(huge.accountId, often)),
    read("verifications of a reference and a status", 3, page(huge.accountId, { ...often, ...rare })),
    read("verifications of another's reference", 0, page(small.accountId, often)),
    read("verifications of a frequent status", limit, page(huge.accountId, frequent)),
    read("verifications of a frequent status: half way", limit, page(huge.accountId, frequent, rows / 2)),
    read("verifications of a frequent status: of an account with few", 5, page(small.accountId, frequent)),
    read("verifications of a rare status", 3, page(huge.accountId, rare)),
    read("verifications of a status that none has", 0, page(huge.accountId, { status: "verified" })),
    change("a verification that somebody relies on", 1, ({ identity }) =>
      identity.verifications.isValid({ id: idAt("kyc", rows), accountId: huge.accountId, at: new Date() }),
    ),
    ...["often", "never"].map((reference): Case =>
      change(`the last verifications of a reference (${reference})`, 20, ({ identity }) =>
        identity.verifications.create({ ...submission, reference: `${reference} more` }),
      ),
    ),
    change("the last verifications without a reference, of which there were too many today", 20, ({ identity }) =>
      refused("KYC_ATTEMPTS_EXHAUSTED", identity.verifications.create(submission)),
    ),
  ];
};

const submission: Parameters<Platform["identity"]["verifications"]["create"]>[0] = {
  accountId: huge.accountId,
  subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
  documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
};
