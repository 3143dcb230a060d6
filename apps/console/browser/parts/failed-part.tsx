import { Failure } from "./states.tsx";

/** What is asked for, as `useCall` answers it. */
export type Asked = { isError: boolean; data: unknown; error: unknown; refetch(): unknown };

/** In the place of what could not be asked for, and of which nothing is known: the part that failed says so, and all else stays. */
export function FailedPart({ of }: { of: Asked }) {
  return of.isError && of.data === undefined ? <Failure error={of.error} retry={() => void of.refetch()} /> : null;
}
