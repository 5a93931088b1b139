import { groupsSuite } from '../support/groups-suite.js';

groupsSuite({}, 'harbour');
