import { post, postTo, simulations, type Action } from "./action.ts";
import { person } from "./secrets.ts";

export const identityActions: readonly Action[] = [
  {
    name: "verify an identity",
    weight: 3,
    request: (_account, random, externalId) =>
      post("/kyc-verifications", { ...person, reference: `customer-${random.between(1, 50)}`, externalId }),
    refusals: ["KYC_IN_PROGRESS", "KYC_ATTEMPTS_EXHAUSTED"],
    learns: "verifications",
  },
  ...simulations("kyc-verifications", ["verified", "rejected", "review_required"], {
    weight: 2,
    of: ({ verifications }) => verifications,
    refusals: ["INVALID_STATE"],
  }),
  {
    name: "decide a verification",
    weight: 4,
    request: ({ known }, random) => {
      const call = postTo("/kyc-verifications", known.verifications, "/decide", random);
      return (
        call && { ...call, body: { decision: random.pick(["verified", "rejected"]), reason: person.subject.address } }
      );
    },
    refusals: ["INVALID_STATE"],
  },
];
