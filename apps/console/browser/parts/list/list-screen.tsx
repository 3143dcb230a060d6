import { useEffect, useRef, type ReactNode } from "react";
import type { Answered, Call, DataOf, ItemOf } from "../../data/calls.ts";
import type { OperationId } from "../../data/operation-row.ts";
import { AsCode } from "../shown/as-code.tsx";
import type { Column } from "./column-heads.tsx";
import { FilterBar, namesOf, type Filter } from "../fields/filter-bar.tsx";
import { useListKeys } from "./list-keys.ts";
import { NewRows } from "./new-rows.tsx";
import { Rows } from "./rows.tsx";
import { ScreenHeader } from "../shown/screen-header.tsx";
import { AsItStood, Failure, LoadingRows, Stale } from "../shown/states.tsx";
import { useCall, usePages } from "../call/use-call.ts";
import { useUrlState, type UrlState } from "../page/use-url-state.ts";

export type ListOptions<Id extends OperationId> = {
  title: string;
  /** One sentence under it. */
  about?: ReactNode;
  actions?: ReactNode;
  operationId: Id;
  /** The query that the filters of the address come to. */
  query(state: UrlState): NonNullable<Call["query"]>;
  filters?: readonly Filter[];
  columns: readonly Column<ItemOf<Id>>[];
  idOf(item: ItemOf<Id>): string;
  empty: ReactNode;
  /** What is beside the list when a row is open. */
  pane(id: string): ReactNode;
  /** Above the rows. */
  above?: ReactNode;
  /** Below the title, such as tabs. */
  tabs?: ReactNode;
  /** In the place of the bar that `filters` come to; `isFiltered` says whether it lets less than all through. */
  filterBar?: ReactNode;
  isFiltered?: boolean;
  /** Below the rows: what the pages say about themselves. */
  note?(list: { pages: readonly Answered<Id>[]; found: number; hasMore: boolean }): ReactNode;
};

const pageSize = 50;

/** A list with its filters, its rows as links, and the open row beside it. */
export function ListScreen<Id extends OperationId>(options: ListOptions<Id>) {
  const { title, about, actions, operationId, filters = [], columns, idOf, empty, pane, above, tabs } = options;
  const [state, setState] = useUrlState();
  const call: Call<Id> = { operationId, query: { ...options.query(state), limit: pageSize } };
  const list = usePages(call);
  const openId = state["open"];
  useListKeys({ isOpen: openId !== undefined, close: () => setState({ open: undefined }) });
  useFocusOnClosing(openId);
  const isFiltered = options.isFiltered ?? filters.flatMap(namesOf).some((name) => state[name]);
  return (
    <div className="screen" data-open={openId !== undefined}>
      <section className="list" aria-label={title}>
        <ScreenHeader title={title} about={about} actions={actions} />
        {tabs}
        {above}
        {options.filterBar ?? (filters.length > 0 && <FilterBar filters={filters} />)}
        {(list.isError || list.isPaused) && !list.isFetchNextPageError && list.items.length > 0 && (
          <Stale error={list.error} updatedAt={list.dataUpdatedAt} retry={() => void list.refetch()} />
        )}
        {list.isError && list.items.length === 0 && <Failure error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <LoadingRows />}
        {list.isSuccess && list.items.length === 0 && !list.hasNextPage && (isFiltered ? <NothingMatches /> : empty)}
        <NewRows {...list.news} />
        {list.items.length > 0 && (
          <Rows
            items={list.items}
            columns={columns}
            idOf={idOf}
            title={title}
            openId={openId}
            hasMore={list.hasNextPage}
          />
        )}
        {list.data && options.note?.({ pages: list.data.pages, found: list.items.length, hasMore: list.hasNextPage })}
        {list.isLeafedThrough && <AsItStood updatedAt={list.dataUpdatedAt} loadAgain={() => void list.startAgain()} />}
        {list.isFetchNextPageError && <Failure error={list.error} />}
        {list.hasNextPage && (
          <button
            type="button"
            className="button more-rows"
            aria-disabled={list.isFetchingNextPage}
            onClick={() => void list.fetchMore()}
          >
            {list.isFetchingNextPage ? "Loading…" : list.isLeafedThrough ? "Load 1,000 more" : "Load more"}
          </button>
        )}
        <AsCode call={call} />
      </section>
      {openId !== undefined && (
        <aside className="pane" aria-label="Details" key={openId}>
          <div className="pane-bar">
            <button type="button" className="button small quiet" onClick={() => setState({ open: undefined })}>
              Close
            </button>
          </div>
          {pane(openId)}
        </aside>
      )}
    </div>
  );
}

/** Who closes what was open from within it goes on at its row. */
function useFocusOnClosing(openId: string | undefined): void {
  const before = useRef(openId);
  useEffect(() => {
    if (openId === undefined && before.current !== undefined && document.activeElement === document.body) {
      const row = `.row-link[data-id="${CSS.escape(before.current)}"]`;
      document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true });
    }
    before.current = openId;
  }, [openId]);
}

function NothingMatches() {
  return <p className="nothing">Nothing matches these filters.</p>;
}

type DetailOptions<Id extends OperationId> = {
  call: Call<Id>;
  /** How often to ask again, where something is expected soon; see `useCall`. */
  everyMs?: number | ((data: DataOf<Id>) => number);
  children(data: DataOf<Id>): ReactNode;
};

/** What the pane shows of one thing. */
export function Detail<Id extends OperationId>({ call, everyMs, children }: DetailOptions<Id>) {
  const query = useCall(call, everyMs === undefined ? {} : { everyMs });
  if (query.data === undefined) {
    return query.isError ? (
      <Failure error={query.error} retry={() => void query.refetch()} />
    ) : (
      <LoadingRows count={4} />
    );
  }
  return (
    <>
      {(query.isError || query.isPaused) && (
        <Stale error={query.error} updatedAt={query.dataUpdatedAt} retry={() => void query.refetch()} />
      )}
      {children(query.data.data)}
      <AsCode call={call} />
    </>
  );
}
