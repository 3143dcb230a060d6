import { describe, expect, test } from "vitest";
import {
  factorChanges,
  hasFactor,
  isProvedEnough,
  judgeFactorChange,
  provesFactor,
  type FactorChange,
  type FactorsHeld,
  type Proof,
} from "../../src/auth/factor-rule.ts";

/** Factors that the acting person has: the user's, or ones that they set up themselves. */
type Have = { password: boolean; mailbox: boolean; device: boolean; app: boolean; recoveryCode: boolean };
type State = { held: FactorsHeld; have: Have; session: Proof | null };

const booleans = [false, true];
const maxPasskeys = 3;
const heldStates: FactorsHeld[] = booleans.flatMap((hasApp) =>
  [0, 1, 2, maxPasskeys].map((passkeyCount) => ({ hasApp, passkeyCount })),
);
const proofs: Proof[] = (["password", "link", "passkey"] as const).flatMap((method) =>
  ([null, "totp", "recovery_code"] as const).map((secondFactor) => ({ method, secondFactor })),
);
const haves: Have[] = booleans.flatMap((password) =>
  booleans.flatMap((mailbox) =>
    booleans.flatMap((device) =>
      booleans.flatMap((app) => booleans.map((recoveryCode) => ({ password, mailbox, device, app, recoveryCode }))),
    ),
  ),
);

/** All ways to sign in. A mailed link sets a password, so a person who reads the mails has one then. */
function waysIn({ held, have }: State): { session: Proof; have: Have }[] {
  const known = [
    ...(have.password ? [{ method: "password" as const, have }] : []),
    ...(have.mailbox ? [{ method: "link" as const, have: { ...have, password: true } }] : []),
  ];
  const codes = [...(have.app ? (["totp"] as const) : []), ...(have.recoveryCode ? (["recovery_code"] as const) : [])];
  const withKnown = known.flatMap(({ method, have: then }) =>
    (held.hasApp ? codes : [null]).map((secondFactor) => ({ session: { method, secondFactor }, have: then })),
  );
  const withPasskey = { session: { method: "passkey", secondFactor: null } as const, have };
  return [...withKnown, ...(have.device && held.passkeyCount > 0 ? [withPasskey] : [])];
}

/** The state after a change, with the factors that its author has then. Null when the rule refuses it. */
function changed({ held, have, session }: State & { session: Proof }, change: FactorChange): State | null {
  const verdict = judgeFactorChange(held, session, change);
  if (!verdict.isAllowed) {
    return null;
  }
  const raised = verdict.proves === null ? session : { ...session, secondFactor: verdict.proves };
  const { hasApp, passkeyCount } = held;
  const to = (next: Partial<FactorsHeld>, more: Partial<Have> = {}): State => ({
    held: { ...held, ...next },
    have: { ...have, ...more },
    session: raised,
  });
  switch (change) {
    case "add_app":
      return hasApp ? null : to({ hasApp: true }, { app: true, recoveryCode: true });
    case "renew_recovery_codes":
      return hasApp ? to({}, { recoveryCode: true }) : null;
    case "remove_app":
      return hasApp ? to({ hasApp: false }, { app: false, recoveryCode: false }) : null;
    case "add_passkey":
      return passkeyCount < maxPasskeys ? to({ passkeyCount: passkeyCount + 1 }, { device: true }) : null;
    case "remove_passkey":
      return passkeyCount > 0 ? to({ passkeyCount: passkeyCount - 1 }) : null;
    case "rename_passkey":
      return passkeyCount > 0 ? to({}) : null;
  }
}

/** Every state that can be reached from one, by any way of signing in and any change. */
function walk(start: State): State[] {
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const state of seen.values()) {
    const { held, session } = state;
    const signedIn = waysIn(state).map((way) => ({ held, ...way }));
    const after = session ? factorChanges.map((change) => changed({ ...state, session }, change)) : [];
    for (const next of [...signedIn, ...after]) {
      if (next && !seen.has(JSON.stringify(next))) {
        seen.set(JSON.stringify(next), next);
      }
    }
  }
  return [...seen.values()];
}

describe("the rule of second factors, over all states", () => {
  const starts = heldStates.flatMap((held) => haves.map((have): State => ({ held, have, session: null })));
  const hasOneThatIsThere = ({ held, have }: State): boolean =>
    (have.device && held.passkeyCount > 0) || ((have.app || have.recoveryCode) && held.hasApp);

  test("who has none of a user's factors changes none, and never counts as one who proved one", () => {
    const hostile = starts.filter((start) => hasFactor(start.held) && !hasOneThatIsThere(start));
    expect(hostile).toHaveLength(68);
    for (const start of hostile) {
      const reached = walk(start);
      expect(new Set(reached.map(({ held }) => JSON.stringify(held)))).toEqual(new Set([JSON.stringify(start.held)]));
      expect(reached.filter(({ held, session }) => session && provesFactor(held, session))).toEqual([]);
    }
  });

  test("a session has two factors by a factor that is there, or by the first one that it set up", () => {
    for (const state of starts.flatMap(walk)) {
      expect(state.session === null || !provesFactor(state.held, state.session) || hasOneThatIsThere(state)).toBe(true);
    }
  });

  test("no session is raised but by the first factor, whatever it proved", () => {
    for (const held of heldStates) {
      for (const proof of proofs) {
        for (const change of factorChanges) {
          const verdict = judgeFactorChange(held, proof, change);
          expect(verdict.isAllowed).toBe(!hasFactor(held) || provesFactor(held, proof));
          expect(verdict.isAllowed && verdict.proves !== null).toBe(!hasFactor(held) && change === "add_app");
        }
      }
    }
  });

  test("a factor that is there opens every change: nobody who kept one is shut out", () => {
    for (const start of starts.filter(hasOneThatIsThere)) {
      const isWayIn = walk(start).some(({ held, session }) => session && isProvedEnough(held, session));
      expect(isWayIn).toBe(
        start.have.password || start.have.mailbox || (start.have.device && start.held.passkeyCount > 0),
      );
    }
  });
});
