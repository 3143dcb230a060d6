import type { FactRoute, WorkHandlers } from "@gateway/engine/work";
import type { KycVerifications } from "./kyc-verification.ts";
import { kycKinds } from "./kyc-row.ts";

type Called = { identity: { verifications: KycVerifications } };

export const kycWork: WorkHandlers<Called> = {
  [kycKinds.check]: async ({ accountId, subjectId: id }, { transaction, ports }) => {
    const submitted = await transaction(({ identity }) => identity.verifications.findSubmitted({ accountId, id }));
    if (submitted) {
      if (!ports.kycEngine) {
        throw new Error("There is no engine to check identities.");
      }
      await ports.kycEngine.check({ accountId, verificationId: id, ...submitted });
    }
    return async () => null;
  },
  [kycKinds.silence]:
    async ({ accountId, subjectId: id, firesAt }) =>
    async ({ identity }) => {
      await identity.verifications.fallSilent({ accountId, id, at: firesAt });
      return null;
    },
  [kycKinds.undecided]:
    async ({ accountId, subjectId: id, firesAt }) =>
    async ({ identity }) => {
      await identity.verifications.expire({ accountId, id, at: firesAt });
      return null;
    },
  [kycKinds.forget]:
    async ({ accountId, subjectId: id, firesAt }) =>
    async ({ identity }) => {
      await identity.verifications.forget({ accountId, id, at: firesAt });
      return null;
    },
};

/** A fact of the engine belongs to the verification that the engine checked. */
export const kycRoute: FactRoute<Called> = {
  subjectOf: ({ verificationId }) => {
    if (typeof verificationId !== "string") {
      throw new Error("A fact of the engine does not name a verification.");
    }
    return verificationId;
  },
  apply: ({ identity }, fact) => identity.verifications.apply(fact),
};
