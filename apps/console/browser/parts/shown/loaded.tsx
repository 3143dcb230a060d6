import type { ReactNode } from "react";
import { Failure, LoadingRows, Stale, type Asked } from "./states.tsx";

type Options<Data> = {
  of: Asked & { data: Data | undefined; isPaused: boolean; dataUpdatedAt: number };
  waiting?: ReactNode;
  rows?: number;
  children(data: Data): ReactNode;
};

/** Shows a response, that it is loading, or why it is missing. An outdated one has its age above it. */
export function Loaded<Data>({ of, waiting, rows = 6, children }: Options<Data>) {
  const retry = (): void => void of.refetch();
  if (of.data === undefined) {
    return of.isError ? <Failure error={of.error} retry={retry} /> : (waiting ?? <LoadingRows count={rows} />);
  }
  return (
    <>
      {(of.isError || of.isPaused) && <Stale error={of.error} updatedAt={of.dataUpdatedAt} retry={retry} />}
      {children(of.data)}
    </>
  );
}
