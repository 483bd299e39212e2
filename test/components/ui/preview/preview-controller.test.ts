import { expect, test } from 'vitest';
import { PaneChanges } from '../../../../components/kit/changes.ts';
import { LiveSwitch } from '../../../../components/kit/live-switch.ts';
import { bytesContent } from '../../../../components/ui/preview/bytes-content.ts';
import { PreviewController } from '../../../../components/ui/preview/preview-controller.ts';
import type { Previewed } from '../../../../components/ui/preview/previewed.ts';
import { sleepers } from '../../../support/sleepers.ts';

interface Row {
  readonly name: string;
  readonly state: string;
}

/** Opens a controller whose sleeps the test controls. Records the names that the controller reads. */
function openController() {
  const clock = sleepers();
  const asked: string[] = [];
  const controller = new PreviewController({
    changes: new PaneChanges(),
    notes: { begin: () => () => undefined, leave: () => undefined },
    world: { now: () => 0, sleep: clock.sleep },
    live: new LiveSwitch(true),
  });
  controller.open();
  const read = ({ name }: Row): Previewed => ({
    id: name,
    title: name,
    async read() {
      asked.push(name);
      return bytesContent(Buffer.from(name), { size: 1 });
    },
  });
  const known = ({ name, state }: Row): Previewed => ({
    id: name,
    title: name,
    content: { ...bytesContent(Buffer.from(name), { size: 1 }), counts: state },
  });
  return { clock, asked, controller, read, known };
}

test('does not restart for a new object of the same row, because a list may create one at each draw', async () => {
  const { clock, asked, controller, read } = openController();
  for (let draw = 0; draw < 5; draw++) controller.select({ name: 'a', state: '' }, 1, read);
  clock.pass(60);
  controller.select({ name: 'a', state: '' }, 1, read);
  clock.pass(60);
  await expect.poll(() => controller.state.is).toBe('shown');
  const before = controller.state;
  controller.select({ name: 'a', state: '' }, 1, read);
  expect(controller.state).toBe(before);
  expect(asked).toEqual(['a']);
  controller.close();
});

test('redraws a changed row that needs no request', () => {
  const { controller, known } = openController();
  controller.select({ name: 'a', state: 'pending' }, 1, known);
  controller.select({ name: 'a', state: 'active' }, 1, known);
  expect(controller.state).toMatchObject({ is: 'shown', content: { counts: 'active' } });
  controller.close();
});
