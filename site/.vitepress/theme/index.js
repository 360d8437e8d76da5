// SPDX-License-Identifier: Apache-2.0
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import Compare from './Compare.vue';
import Live from './Live.vue';
import Scene from './Scene.vue';
import './style.css';

export default { extends: DefaultTheme, enhanceApp: ({ app }) => app.component('Live', Live), Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': () => h(Scene, { src: 'scenes/hrp2_like.xml', act: 'walk:steps=100', label: 'A humanoid robot walks, simulated in this page' }), 'home-hero-after': () => h(Compare) }) };
