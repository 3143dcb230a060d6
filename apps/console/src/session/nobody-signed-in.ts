import { Problem } from "@gateway/contract";

/** Without a challenge: a page does not answer one, it leads to the sign-in. */
export function nobodySignedIn(): Problem {
  return new Problem("UNAUTHENTICATED", "No user is signed in at the console with this browser. Sign in.");
}
