import { startDatabase } from '@tidewatch/harness/postgres';
import { describeStore } from '@tidewatch/store/backends/store.contract';
import { describeFacts } from '@tidewatch/store/investigations/facts/facts.contract';
import { openStoreUnderTest } from './store.harness.ts';

const open = async () => openStoreUnderTest(await startDatabase());
describeStore('plain', open);
describeFacts('plain', open);
