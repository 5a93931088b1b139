import { createHash } from 'node:crypto';
import { Html } from './html.js';
import { BASE_STYLE } from './page-style.js';

const PARTS_STYLE = `
.verdict{padding:1.1rem 1.25rem;border:1px solid;border-left-width:6px;border-radius:.75rem}
.verdict.good{background:var(--good-ground);border-color:var(--good)}
.verdict.warn{background:var(--warn-ground);border-color:var(--warn)}
.verdict.bad{background:var(--bad-ground);border-color:var(--bad)}
.verdict h1,.verdict h2{font-size:1.35rem;line-height:1.25;letter-spacing:-.01em}
.verdict small,.verdict .hint{color:inherit;opacity:1}
.verdict .why{margin-top:.5rem;display:grid;gap:.2rem;max-width:75ch}
.verdict.state{padding:.8rem 1.25rem}
.verdict.state h2{font-size:1.1rem}
.verdict.state>p{font-size:.9rem}
.sign{display:inline-grid;place-items:center;width:1.3em;height:1.3em;margin-right:.45em;border-radius:50%;font-size:.8em;font-weight:700;line-height:1;vertical-align:.08em;color:var(--card)}
.good .sign{background:var(--good)}.warn .sign{background:var(--warn)}.bad .sign{background:var(--bad)}
.said.bad{color:var(--bad)}.said.warn{color:var(--warn)}
.said .sign{font-size:.7em}
.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c2-pale{fill:var(--c2-pale)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}.c6{fill:var(--c6)}
.c1-ground{background:var(--c1)}.c2-ground{background:var(--c2)}.c2-pale-ground{background:var(--c2-pale)}.c3-ground{background:var(--c3)}.c4-ground{background:var(--c4)}.c5-ground{background:var(--c5)}.c6-ground{background:var(--c6)}
.bar{display:block;width:100%;height:.625rem;border-radius:.2rem;overflow:hidden}
.bar-ground{fill:var(--ground)}
.measure{display:grid;grid-template-columns:minmax(0,10rem) minmax(0,1fr) minmax(0,7rem);gap:.75rem;align-items:center;padding-block:.22rem}
.measure .figure{text-align:right}
.timeline .figure{white-space:nowrap}
.axis{color:var(--soft);font-size:.8125rem;padding-top:.1rem}
.axis .figure{text-align:left}
.labels{display:block;width:100%;height:1.25rem;overflow:visible;fill:currentColor}
.axis .labels{border-top:1px solid var(--line)}
.lost{padding:.1rem 0 .1rem .7rem;margin-left:.35rem;border-left:2px solid var(--line);color:var(--soft);font-size:.9rem}
.lost .minus{color:var(--ink);font-weight:600}
.meters{display:grid;gap:.6rem;margin-block:.5rem .75rem}
.meters li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.2rem .75rem}
.meters .bar{grid-column:1/-1;grid-row:2}
.legend{display:flex;flex-wrap:wrap;gap:.1rem 1rem;font-size:.875rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.swatch{width:.75rem;height:.75rem;border-radius:.2rem}
.chart figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.15rem 1rem}
.chart .unit{flex-basis:100%;min-height:3em}
.frame{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.25rem .5rem;margin-block:.5rem;color:var(--soft);font-size:.8125rem}
.y-unit{grid-column:1/-1;margin-bottom:.35rem}
.y-ticks{display:flex;flex-direction:column;justify-content:space-between;text-align:right;height:calc(10rem + 1lh);margin-block:-.5lh}
.plot{display:block;width:100%;height:10rem}
.grid{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.x-ticks{grid-column:2}
.x-unit{grid-column:2;text-align:center}
details>summary{cursor:pointer;color:var(--accent);padding-block:.25rem;width:fit-content}
details.card>summary{padding-block:0}
.card:has(table){overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
caption{text-align:left;font-weight:600;padding-block:.6rem .3rem}
caption.unseen{padding:0}
th,td{padding:.45rem .6rem;text-align:left;vertical-align:top;font-weight:400}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--soft);font-size:.8125rem;white-space:nowrap;border-bottom:1px solid var(--line)}
tbody tr+tr>*{border-top:1px solid var(--line)}
.wide{min-width:11rem}
td .id{display:inline-block;min-width:min(100%,14ch)}
td summary{white-space:nowrap}
.number{text-align:right}
.number .cell{white-space:nowrap}
td .bar,th .bar{min-width:6rem}
.score{display:grid;grid-template-columns:4rem minmax(6rem,1fr);align-items:center;gap:.5rem}
.under{display:block;color:var(--soft);font-size:.8125rem}
.tag{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom;padding:0 .4rem;border:1px solid var(--line);border-radius:.4rem;font-size:.8125rem;color:var(--soft);font-weight:400}
.facts{display:grid;gap:.3rem}
.facts>div{display:grid;grid-template-columns:minmax(0,9rem) minmax(0,1fr);gap:.75rem}
.facts dt{color:var(--soft)}
pre{margin:.25rem 0 0;padding:.75rem;max-height:24rem;overflow:auto;background:var(--paper);border:1px solid var(--line);border-radius:.5rem;white-space:pre-wrap}
label{display:block;font-size:.875rem;color:var(--soft)}
input,select,textarea,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:.45rem;padding:.4rem .6rem;min-height:2.5rem;width:100%;min-width:0}
button{width:auto;white-space:nowrap;background:var(--accent);border-color:var(--accent);color:var(--card);font-weight:600;padding-inline:1.1rem;cursor:pointer}
textarea{display:block;resize:vertical}
button.reject{background:var(--bad);border-color:var(--bad)}
pre.whole{max-height:none}
mark{background:var(--warn-ground);color:var(--warn);border-radius:.2rem;padding-inline:.1em}
.cut{padding:.6rem .8rem;margin-block:.35rem;border-left:4px solid var(--bad);background:var(--bad-ground);border-radius:.3rem}
.decide{display:grid;gap:.6rem;max-width:48rem}
.decide .note{padding-block:.25rem}
.said-call{margin-bottom:.6rem}
button:hover{filter:brightness(1.08)}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:.6rem .9rem}
.field.time{grid-column:span 2}
.filters{display:grid;gap:.6rem;padding-bottom:.75rem;border-bottom:1px solid var(--line)}
.filters details .fields{padding-top:.35rem}
.actions{display:flex;align-items:center;gap:1rem}
.together{display:flex;gap:.5rem;max-width:48rem}
.together button{flex:none}
.answer{margin-top:.75rem;padding:.6rem .8rem;background:var(--ground);border-radius:.5rem;max-width:75ch}
.command{display:block;margin-top:.35rem;user-select:all}
.pager{display:flex;justify-content:space-between;gap:1rem}
.pager a{padding-block:.6rem}
.pager a[rel]{margin-left:auto}
@media (max-width:90rem){
td time,th time,.facts time{white-space:normal}}
@media (min-width:64rem){
.settings table{table-layout:fixed}
.settings thead th:nth-child(1){width:20.5rem}
.settings thead th:nth-child(n+2){width:9.5rem}
.settings thead th:last-child{width:auto}}
@media (max-width:44rem){
.measure{grid-template-columns:minmax(0,1fr) auto;gap:.1rem .75rem}
.measure .bar,.axis .labels{grid-column:1/-1;grid-row:2}
.chart .labels text:nth-child(even){display:none}
.axis .name{display:none}.axis .figure{grid-row:3;grid-column:1/-1;text-align:center}
.verdict{padding:.9rem 1rem}
.facts>div{grid-template-columns:minmax(0,7.5rem) minmax(0,1fr)}
}
@media (max-width:60rem){
table.cards,.cards tbody,.cards th,.cards td{display:block}
.cards caption{display:block}
.cards thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.cards tbody tr{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.15rem .9rem;padding-block:.8rem}
.cards tbody tr+tr{border-top:1px solid var(--line)}
.cards tbody tr>*{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.6rem;grid-column:1/-1;min-width:0;border:0;padding:0;text-align:left}
.cards tbody tr>*::before{content:attr(data-name);color:var(--soft);font-size:.8125rem;padding-top:.08rem}
.cards tbody tr>th{order:-1;display:block;padding-bottom:.15rem;font-weight:600}
.cards tbody tr>th::before{content:none}
.cards th .under{font-weight:400}
.cards tbody tr>.number{grid-column:auto;grid-template-columns:auto minmax(0,1fr)}
.cards tbody tr>.none{display:none}
.cards .score{grid-template-columns:3.5rem minmax(0,1fr)}
.cards td .bar{min-width:0}
.cards .number .cell{white-space:normal}}
`;

const TEXT = `${BASE_STYLE}${PARTS_STYLE}`;

/** The style element of all pages. It is one constant, because `STYLE_HASH` covers its exact text. */
export const STYLE = Html.trusted(`<style>${TEXT}</style>`);

/** The hash of the style sheet for `style-src`, which allows no other one. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(TEXT).digest('base64')}`;
