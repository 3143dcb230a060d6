import type { Platform } from "../../src/compose/platform.ts";
import { cursorAt, limit, refused, undone, type Case } from "./cases.ts";
import { idAt, owners } from "./row-values.ts";

const { huge, small } = owners;

type KycFilter = { reference?: string; status?: "rejected" | "verified" | "review_required" };

export const kycCases = (rows: number): Case[] => {
  const page = (accountId: string, filter: KycFilter, position?: number) => (platform: Platform) =>
    platform.identity.verifications.list({
      accountId,
      ...filter,
      limit,
      ...cursorAt(
        `kyc-verifications ${JSON.stringify([accountId, filter.status ?? null, filter.reference ?? null])}`,
        "kyc",
        position,
      ),
    });
  const [often, frequent, rare] = [
    { reference: "often" },
    { status: "review_required" },
    { status: "rejected" },
  ] as const;
  return [
    { name: "verifications of a reference", answers: 4, ask: page(huge.accountId, often) },
    {
      name: "verifications of a reference and a status",
      answers: 3,
      ask: page(huge.accountId, { ...often, ...rare }),
    },
    { name: "verifications of another's reference", answers: 0, ask: page(small.accountId, often) },
    { name: "verifications of a frequent status", answers: limit, ask: page(huge.accountId, frequent) },
    {
      name: "verifications of a frequent status: half way",
      answers: limit,
      ask: page(huge.accountId, frequent, rows / 2),
    },
    {
      name: "verifications of a frequent status: of an account with few",
      answers: 5,
      ask: page(small.accountId, frequent),
    },
    { name: "verifications of a rare status", answers: 3, ask: page(huge.accountId, rare) },
    { name: "verifications of a status that none has", answers: 0, ask: page(huge.accountId, { status: "verified" }) },
    {
      name: "a verification that somebody relies on",
      answers: null,
      looksAt: 1,
      ask: undone(({ identity }) =>
        identity.verifications.isValid({ id: idAt("kyc", rows), accountId: huge.accountId, at: new Date() }),
      ),
    },
    ...["often", "never"].map((reference): Case => ({
      name: `the last verifications of a reference (${reference})`,
      answers: null,
      looksAt: 20,
      ask: undone(({ identity }) => identity.verifications.create({ ...submission, reference: `${reference} more` })),
    })),
    {
      name: "the last verifications without a reference, of which there were too many today",
      answers: null,
      looksAt: 20,
      ask: undone(({ identity }) => refused("KYC_ATTEMPTS_EXHAUSTED", identity.verifications.create(submission))),
    },
  ];
};

const submission: Parameters<Platform["identity"]["verifications"]["create"]>[0] = {
  accountId: huge.accountId,
  subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
  documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
};
