import type { OperationId } from "../../data/operation-row.ts";
import { operations } from "../../data/operations.ts";
import { signInUrl } from "../../data/session.ts";
import { useSession } from "../page/session-context.tsx";

/** Asks for the sign-in that an operation needs (`x-fresh-sign-in`) before its form is filled in. */
export function FreshSignIn({ operationId }: { operationId: OperationId }) {
  const { signedInAt, person } = useSession();
  const seconds = operations[operationId].freshSignInSeconds;
  if (seconds === null) {
    return null;
  }
  const isTooLongAgo = Date.now() - Date.parse(signedInAt) > seconds * 1000;
  return (
    <>
      {" "}
      You must have signed in within the last {seconds / 60} minutes
      {isTooLongAgo && (
        <>
          , and your sign-in is older:{" "}
          <a href={signInUrl({ maxAgeSeconds: seconds, email: person.email })}>sign in again before you go on</a>
        </>
      )}
      .
    </>
  );
}
