import type { OperationId } from "../../data/operation-row.ts";
import { operations } from "../../data/operations.ts";
import { signInUrl } from "../../data/session.ts";
import { useSession } from "../page/session-context.tsx";

/**
 * How short ago one must have signed in for an operation, as the document has it (`x-fresh-sign-in`). Who did not is
 * told before a form is filled in, for to sign in leaves the page; what was typed is there again afterwards
 * (`data/draft.ts`).
 */
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
      It takes a sign-in of the last {seconds / 60} minutes
      {isTooLongAgo && (
        <>
          , and yours is older:{" "}
          <a href={signInUrl({ maxAgeSeconds: seconds, email: person.email })}>sign in again before you go on</a>
        </>
      )}
      .
    </>
  );
}
