import { describeStore } from '@tidewatch/store/store.contract';
import { startDatabase } from '@tidewatch/testkit/postgres';
import { openStoreUnderTest } from './testing/store-under-test.ts';

describeStore('plain', async () => openStoreUnderTest(await startDatabase()));
