import { consoleApplication } from "../accounts/index.ts";
import type { Viewer } from "../request-log/index.ts";

type Asker = {
  accountId: string;
  credential: { kind: "apiKey" } | { kind: "accessToken"; applicationId: string };
};

/** An application was let in to act for a person, not to read what others do; the console stands for its person. */
export function viewerOf({ accountId, credential }: Asker): Viewer {
  const isApplication = credential.kind === "accessToken" && credential.applicationId !== consoleApplication.id;
  return { accountId, onlyOf: isApplication ? credential.applicationId : null };
}
