import { Box } from 'ink';
import { useConsole } from '../../kit/use-console.ts';
import { headerRows } from '../layout/layout.ts';
import { Panel } from '../layout/Panel.tsx';
import type { NameColumn } from './columns.ts';
import { ListTable } from './ListTable.tsx';
import type { ListController } from './list-controller.ts';
import type { RowNames } from './list-words.ts';

interface ParentListProps<T> {
  readonly list: ListController<T>;
  readonly name: NameColumn<T>;
  readonly rowNames: RowNames;
  readonly height: number;
}

/** Draws the names of the parent list next to the open pane. It receives no presses. */
export function ParentList<T>({ list, name, rowNames, height }: ParentListProps<T>) {
  const { region } = useConsole();
  const { many } = rowNames;
  const title = `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
  return (
    <Box position="absolute" left={region.left} top={headerRows}>
      <Panel region={region} title={title}>
        <ListTable list={list} name={name} columns={[]} height={height} empty="" isAside />
      </Panel>
    </Box>
  );
}
