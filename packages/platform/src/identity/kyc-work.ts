import type { FactRoute, WorkHandlers } from "@gateway/engine/work";
import type { KycVerifications } from "./kyc-verification.ts";

type Called = { identity: { verifications: KycVerifications } };

export const kycKinds = {
  check: "kyc.check",
  silence: "kyc.silence",
  undecided: "kyc.undecided",
  forget: "kyc.forget",
} as const;

export const kycWork: WorkHandlers<Called> = {
  [kycKinds.check]: async ({ accountId, subjectId: id }, { transaction, ports }) => {
    const submitted = await transaction(({ identity }) => identity.verifications.findSubmitted({ accountId, id }));
    if (submitted) {
      if (!ports.kycEngine) {
        throw new Error("There is no engine to check an identity by.");
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

/** What the engine tells is of the verification that it was asked to check. */
export const kycRoute: FactRoute<Called> = {
  subjectOf: ({ verificationId }) => {
    if (typeof verificationId !== "string") {
      throw new Error("A fact of the engine says of no verification.");
    }
    return verificationId;
  },
  apply: ({ identity }, fact) => identity.verifications.apply(fact),
};
