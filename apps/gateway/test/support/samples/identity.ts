import type { KycVerification } from "@gateway/platform/identity";
import { randomBytes } from "node:crypto";
import type { Owner, ServiceSamples } from "./sample-owner.ts";

export const identitySamples: ServiceSamples = {
  makers: { kyc: (owner) => createKycVerification(owner) },
  makersFor: {
    decideKycVerification: {
      kyc: async (owner) => {
        const { id } = await createKycVerification(owner);
        await owner.platform.inAccount(owner.accountId, ({ identity }) =>
          identity.verifications.simulate({ id, accountId: owner.accountId, outcome: "review_required" }),
        );
        return { id };
      },
    },
    deleteKycPersonalData: { kyc: (owner) => createKycVerification(owner, { expiresOn: "2001-01-31" }) },
  },
};

/** A verification with an expired document is decided at once. */
function createKycVerification(
  { platform, accountId }: Owner,
  { expiresOn = "2096-01-31" } = {},
): Promise<KycVerification> {
  return platform.inAccount(accountId, ({ identity }) =>
    identity.verifications.create({
      accountId,
      reference: randomBytes(6).toString("hex"),
      subject: { givenName: "Sample", familyName: "Sample", birthDate: "1990-12-31", country: "DE", address: "Sample" },
      documents: [{ type: "passport", country: "DE", number: "SAMPLE", expiresOn }],
    }),
  );
}
