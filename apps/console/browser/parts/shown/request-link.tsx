import { IdLink } from "./id-link.tsx";

/** An id of a request, wherever one is shown, leads to its line in the log. */
export function RequestLink({ id }: { id: string }) {
  return <IdLink to="/logs" id={id} />;
}
